import { reject } from '#eventstore/decider.ts'
import { recordDecider } from '#modules/records/public.ts'
import { documentEvents } from './events.ts'

/** The rules of a clinical document: it is reviewed as it is written, and an approved one never changes. */
export const documentDecider = recordDecider(documentEvents, {
  category: 'clinical-document',
  noun: 'document',
  rules(command, { status, fields }) {
    if (command.type === 'Change') {
      if (status === 'approved')
        return reject('already-approved', 'This document was approved. Add an addendum to it.', 'status')
      return status === 'review'
        ? reject('in-review', 'This document is being reviewed. Return it to its author first.', 'status')
        : undefined
    }
    const isEmpty = Object.values(fields.soapNote).every((part) => part === '')
    return command.event === 'ClinicalDocumentSubmitted' && isEmpty
      ? reject('empty', 'Please write the note first.', 'soapNote')
      : undefined
  },
})
