import { type CommonQueryMethods, sql } from 'slonik'
import { Practice } from '#contracts/practices.ts'

/** One practice; null when there is none. Whether the caller may see it is the caller's to check. */
export const findPractice = (db: CommonQueryMethods, practiceId: string): Promise<Practice | null> =>
  db.maybeOne(sql.type(Practice)`
    select practice_id as id, name, address, phone, email, website, specialties, npi, tax_id as "taxId", timezone,
      newsletter_opt_in as "newsletterOptIn", selected_plan as "selectedPlan", setup_complete as "setupComplete",
      revision, created_at as "createdAt", updated_at as "updatedAt"
    from read.practices where practice_id = ${practiceId}`)
