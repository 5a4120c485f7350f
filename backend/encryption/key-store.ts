import type { Key } from './cipher.ts'

/** Where data keys are kept: one for each subject, which is a patient or whatever else its values go with. */
export type KeyStore = {
  /** The keys to seal with; one that is not there yet is made and kept. Throws KeyDestroyed, StoreUnavailable. */
  getOrCreateMany(subjects: readonly string[]): Promise<ReadonlyMap<string, Key>>
  /** The keys to open with, asked for all at once. Throws KeyMissing, StoreUnavailable. */
  getMany(subjects: readonly string[]): Promise<DataKeys>
}

/** Keys by subject; null where one was destroyed. A key is unwrapped when it is asked for here. */
export type DataKeys = { get(subject: string): Key | null | undefined }

/** The key was destroyed so that nobody can ever read these values again; nothing new is written with it. */
export class KeyDestroyed extends Error {}

/** Something is sealed with a key that was never destroyed and is not there: a database that lost its keys. */
export class KeyMissing extends Error {}
