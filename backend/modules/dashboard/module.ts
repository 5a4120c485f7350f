import type { Migration } from '#database/migrations.ts'
import type { Module } from '#modules/module.ts'
import { dashboardRoutes } from './routes.ts'

/** Drops the read models that the analytics replaced: no erasure of a patient would reach the names in them. */
const dropReadModels: Migration = {
  id: 'dashboard-001-drop-read-models',
  sql: ['appointments', 'patients', 'totals', 'practices']
    .flatMap((name) => [`dashboard_${name}`, `dashboard_${name}~next`, `dashboard_${name}~previous`])
    .map(
      (name) => `
        drop table if exists read."${name}";
        do $$ begin
          if to_regclass('read.checkpoints') is not null then delete from read.checkpoints where name = '${name}'; end if;
        end $$;`,
    )
    .join(''),
}

/** The figures of the dashboard, which are those of the analytics. Has no events and no read models. */
export const dashboard: Module = {
  name: 'dashboard',
  events: [],
  migrations: [dropReadModels],
  routes: dashboardRoutes,
}
