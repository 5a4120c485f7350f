const name = 'everchart-session-change'

/**
 * Runs what begins or ends the session, after what other windows of this browser do of that kind: the reply to a late sign-out
 * would remove the cookie of a session that began in the meantime. Browsers offer locks over https and on localhost only.
 */
export const takeSessionTurn = <Result>(run: () => Promise<Result>): Promise<Result> =>
  navigator.locks ? navigator.locks.request(name, run) : run()
