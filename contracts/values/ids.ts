import { z } from 'zod'

const id = <Name extends string>(_name: Name) => z.uuid({ error: 'This is not a valid id' }).brand<Name>()

export const UserId = id('UserId')
export type UserId = z.infer<typeof UserId>

export const PracticeId = id('PracticeId')
export type PracticeId = z.infer<typeof PracticeId>

export const PatientId = id('PatientId')
export type PatientId = z.infer<typeof PatientId>

/** One run of bringing patients over from another system. */
export const ImportId = id('ImportId')
export type ImportId = z.infer<typeof ImportId>
