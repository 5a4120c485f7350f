import type { Module } from '#modules/module.ts'
import { InsightEvent } from './events.ts'
import { insightAppointments } from './appointments/projection.ts'
import { insightCoverages } from './coverages/projection.ts'
import { insightDecisions } from './decisions/projection.ts'
import { insightDocuments } from './documents/projection.ts'
import { insightForms } from './forms/projection.ts'
import { insightPatients } from './patients/projection.ts'
import { insightPractices } from './practices/projection.ts'
import { insightRoutes } from './routes.ts'

/** Suggestions derived from the practice's data, and what people decided about them. */
export const insights: Module = {
  name: 'insights',
  events: [InsightEvent],
  projections: [
    insightAppointments,
    insightPatients,
    insightPractices,
    insightForms,
    insightDocuments,
    insightCoverages,
    insightDecisions,
  ],
  liveUpdates: [{ kinds: ['insights'], events: [InsightEvent] }],
  routes: insightRoutes,
}
