/** The name of the cookie with which a browser shows that it has signed in before. */
export const deviceCookie = 'everchart.device'

/**
 * A browser that has signed in before, and the accounts it signed in to, as keyed hashes. It grants no access: its failed
 * sign-ins are merely counted separately (docs/decisions/0022).
 */
export type KnownDevice = { id: string; accounts: readonly string[] }

/** Enough for a workstation that a whole team uses; the account used least recently is forgotten first. */
const maxAccounts = 20

/** Reads the value of the cookie, which is signed; null without one. */
export function parseDevice(value: string | undefined): KnownDevice | null {
  const [id = '', ...accounts] = value?.split('.') ?? []
  return id === '' ? null : { id, accounts }
}

/** Returns the value of the cookie. */
export const formatDevice = ({ id, accounts }: KnownDevice): string => [id, ...accounts].join('.')

/** Returns the device after it has signed in to an account. */
export const addAccount = ({ id, accounts }: KnownDevice, account: string): KnownDevice => ({
  id,
  accounts: [account, ...accounts.filter((other) => other !== account)].slice(0, maxAccounts),
})
