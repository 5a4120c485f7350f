import type { Module } from '#modules/module.ts'
import { ScheduleEvent } from './events.ts'

/** The reserved slots of each provider's day. */
export const schedule: Module = {
  name: 'schedule',
  events: [ScheduleEvent],
}
