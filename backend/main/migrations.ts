import { damagedIndexesMigration, damagedPagesMigration } from '#database/damaged-pages.ts'
import { idempotencyMigration } from '#http/idempotency-store.ts'
import { sessionMigration, sessionPlacesMigration } from '#http/session.ts'
import { usageMigration } from '#http/usage-store.ts'
import { dataKeysMigration } from '#encryption/data-keys.ts'
import { deadLettersMigration } from '#jobs/dead-letters.ts'
import { deliveriesMigration } from '#mail/announcements.ts'
import type { Module } from '#modules/module.ts'
import type { Migration } from '#database/migrations.ts'
import { installationMigration } from '#runtime/installation.ts'
import { uptimeMigration } from '#database/uptime-log.ts'
import { vendorCallsMigration } from '#database/vendor-log.ts'

/** Returns the migrations of all tables that are not derived from events, in execution order. */
export const collectMigrations = (modules: readonly Module[]): readonly Migration[] => [
  installationMigration,
  damagedPagesMigration,
  damagedIndexesMigration,
  dataKeysMigration,
  sessionMigration,
  sessionPlacesMigration,
  idempotencyMigration,
  usageMigration,
  deadLettersMigration,
  deliveriesMigration,
  vendorCallsMigration,
  uptimeMigration,
  ...modules.flatMap(({ migrations = [] }) => migrations),
]
