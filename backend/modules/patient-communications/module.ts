import * as contract from '#contracts/patient-communications.ts'
import type { Module } from '#modules/module.ts'
import { recordRoutes, requireAppointmentOfPatient } from '#modules/records/requests/public.ts'
import { communicationDecider } from './decider.ts'
import { communicationEvents, PatientCommunicationEvent } from './events.ts'
import { communicationsProjection } from './projection.ts'
import { communicationReader } from './queries.ts'

/** Messages from and to patients, as the practice has noted them. */
export const patientCommunications: Module = {
  name: 'patient-communications',
  events: [PatientCommunicationEvent],
  projections: [communicationsProjection],
  liveUpdates: [{ kinds: ['records'], events: [PatientCommunicationEvent] }],
  routes: (services) =>
    recordRoutes(services, {
      noun: 'message',
      events: communicationEvents,
      decider: communicationDecider,
      reader: communicationReader,
      endpoints: {
        list: contract.listPatientCommunications,
        exportCsv: contract.exportPatientCommunications,
        get: contract.getPatientCommunication,
        add: contract.addPatientCommunication,
        change: contract.changePatientCommunication,
      },
      check: (_, { caller }, { relatedAppointmentId: appointmentId }, patientId) =>
        requireAppointmentOfPatient(services, caller, { appointmentId, patientId }, 'relatedAppointmentId'),
      complete: ({ caller }) => ({ sentBy: caller.userId, automatedMessage: false }),
    }),
}
