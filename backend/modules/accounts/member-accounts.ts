import type { CurrentUser } from '#contracts/accounts.ts'
import type { RequestContext } from '#http/request-context.ts'
import type { Caller } from '#http/session.ts'
import type { Services } from '#modules/module.ts'
import { accountSettings } from './settings.ts'
import { beginSession, hashAddress, userContext } from './sessions/begin-session.ts'
import type { RegisteredUser } from './decider.ts'
import { checkNewPassword } from './passwords/password-rules.ts'
import { createPasswordStore } from './passwords/password-store.ts'
import { findAccess, findUser } from './queries.ts'
import { registerUser } from './registration.ts'
import { codeRequired, passkeyRequired } from './two-factor/check-second-factor.ts'
import { twoFactorDecider } from './two-factor/decider.ts'

/** A person who accepts an invitation, and what the invitation says. */
export type NewMemberAccount = Omit<RegisteredUser, 'newsletterOptIn' | 'addressHash'> & { password: string }

/** Creates the accounts of people who accept an invitation, and signs them in. */
export type MemberAccounts = {
  /**
   * Registers the account. Throws `CommandRejected` with `email-taken` or `username-taken`.
   */
  register(account: NewMemberAccount, exchange: RequestContext): Promise<RegisteredUser>
  /** Starts a session of the account, unless it is signed in already, and returns it with the place that it has by then. */
  signIn(user: RegisteredUser, previous: Caller | undefined, exchange: RequestContext): Promise<CurrentUser>
}

export function createMemberAccounts(services: Services): MemberAccounts {
  const { bus, db, pool, clock, newId, timeouts } = services
  const passwords = createPasswordStore(pool, {
    maxWaitMs: timeouts.passwordMs,
    cost: accountSettings.read(services).passwordCost,
  })
  return {
    async register({ password, ...person }, exchange) {
      const user = { ...person, newsletterOptIn: false, addressHash: hashAddress(services, exchange) }
      await checkNewPassword(password, person)
      const passwordHash = await passwords.hash(password)
      const savePassword = async () => void (await passwords.save(user.userId, passwordHash))
      // The link of the invitation was mailed to the address.
      const link = { proofId: newId('email proof'), isGiven: true }
      await registerUser(services, user, savePassword, userContext(exchange, user), link)
      return user
    },
    async signIn(user, previous, exchange) {
      if (previous?.userId === user.userId) {
        const found = await findUser(services, user.userId)
        if (found) return found
      }
      // Of a new account. A repetition of the request that created it knows the first password only, and no second factor.
      const requireNoFactor = async () => {
        if ((await bus.load(twoFactorDecider, user.userId)).state) throw codeRequired()
        if ((await findAccess(db, user.userId, clock())).needsPasskey) throw passkeyRequired()
      }
      await requireNoFactor()
      return await beginSession(services, user, 0, previous, exchange, requireNoFactor)
    },
  }
}
