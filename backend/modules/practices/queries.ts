import { type CommonQueryMethods, sql } from 'slonik'
import { Practice } from '#contracts/practices.ts'

/** Returns a practice; null when there is none. Does not check whether the caller belongs to it. */
export const findPractice = (db: CommonQueryMethods, practiceId: string): Promise<Practice | null> =>
  db.maybeOne(sql.type(Practice)`
    select practice_id as id, name, address, phone, email, website, specialties, npi, tax_id as "taxId", timezone,
      session_timeout as "sessionTimeout", require_two_factor as "requireTwoFactor",
      newsletter_opt_in as "newsletterOptIn", selected_plan as "selectedPlan", setup_complete as "setupComplete",
      jsonb_build_object('timezone', timezone, 'sessionTimeout', session_timeout, 'requireTwoFactor', require_two_factor,
        'newsletterOptIn', newsletter_opt_in, 'selectedPlan', selected_plan, 'appointmentTypes', appointment_types) as settings,
      revision, created_at as "createdAt", updated_at as "updatedAt"
    from read.practices where practice_id = ${practiceId}`)
