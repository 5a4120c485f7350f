import type { Module } from '#modules/module.ts'
import { RefusalEvent, RevealEvent } from './events.ts'

/** The audit trail beside the events of the domain: refused requests, and values shown by command-line tools. */
export const audit: Module = { name: 'audit', events: [RefusalEvent, RevealEvent] }
