import type { Module } from '#modules/module.ts'
import { FormEvent } from './events.ts'
import { FormLinkEvent } from './links/events.ts'
import { formSettings } from './settings.ts'
import { analyzeForm } from './jobs.ts'
import { analyzeForms } from './process-manager.ts'
import { formPatientsProjection, formsProjection } from './projection.ts'
import { formRoutes } from './routes.ts'
import { sampleForms } from './sample.ts'

/** Forms that patients answer, with their analysis. */
export const forms: Module = {
  name: 'forms',
  events: [FormEvent, FormLinkEvent],
  projections: [formsProjection, formPatientsProjection],
  processManagers: [analyzeForms],
  jobs: [analyzeForm],
  liveUpdates: [{ kinds: ['forms'], events: [FormEvent, FormLinkEvent] }],
  routes: formRoutes,
  settings: formSettings,
  sample: sampleForms,
}
