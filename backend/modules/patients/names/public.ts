import type { Recorded } from '#eventstore/event.ts'
import { type PatientEvent, patientDetailEvents } from '../events.ts'
import { mapEvents } from '#projections/projection.ts'

/** The columns of a row with the name of a patient. The names of an erased patient are null. */
export type PatientNameRow = { first_name: string | null; last_name: string | null; removed: boolean }

type Of<Type> = Extract<PatientEvent, { type: Type }>

/**
 * The folds of a read model with the names of all patients, removed ones included, for modules that show what belongs to them; to be
 * spread into `on`, before the folds of the module.
 */
export const patientNameFolds = {
  PatientDemographicsCorrected: <Row extends PatientNameRow>(
    row: Row | null,
    { data: { to } }: Recorded<Of<'PatientDemographicsCorrected'>>,
  ) =>
    row && {
      ...row,
      ...(to.firstName === undefined ? {} : { first_name: to.firstName }),
      ...(to.lastName === undefined ? {} : { last_name: to.lastName }),
    },
  PatientRemoved: <Row extends PatientNameRow>(row: Row | null) => row && { ...row, removed: true },
  PatientContactChanged: 'ignore',
  ...mapEvents(patientDetailEvents, 'ignore'),
  PatientDeathRecorded: 'ignore',
  PatientDeathCorrected: 'ignore',
  SamplePatientKept: 'ignore',
} as const
