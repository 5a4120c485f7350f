import { defaultSessionTimeout } from '#contracts/values/session-timeout.ts'

/**
 * Joins the standing of the practice of a row of users `u`: as `p` the read model, and as `access` what its subscription grants at
 * an instant, an SQL expression. `access` has one row (`status`, `plan`, `has_lapsed`, `past_due_until`, `has_open_invoice`). `status`
 * and `plan` are null when the access has ended, or the practice never subscribed. When our clock is behind the payment provider's,
 * the provider's last message counts.
 */
export const joinStanding = (now: string): string => `
  left join read.practice_standing p on p.practice_id = u.practice_id
  cross join lateral (
    select case when is_current then p.access_kind end as status,
      case when is_current then p.access_plan end as plan,
      not is_current and p.access_kind is not null as has_lapsed,
      case when is_current and p.subscription_status = 'past_due' then p.access_until end as past_due_until,
      p.subscription_status is not distinct from 'past_due' as has_open_invoice
    from (select coalesce(p.access_until > greatest(${now}, p.last_update_at), true) as is_current) as at
  ) as access`

/** An expression: the minutes after which unused sessions of a practice's members end. */
export const sessionTimeoutSql = `coalesce(p.session_timeout, ${defaultSessionTimeout})`

/** An expression: the practice requires two-factor sign-in. */
export const requiresTwoFactorSql = 'coalesce(p.require_two_factor, false)'
