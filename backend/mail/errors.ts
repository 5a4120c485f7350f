/**
 * A message that was not, or perhaps not, accepted. `code` is the reason without data: replies of mail servers quote
 * addresses.
 */
export class MailError extends Error {
  readonly code: string
  constructor(code: string) {
    super(`Mail: ${code}`)
    this.code = code
  }
}

/** The mail server cannot be reached, or refuses this installation. Nothing was sent; another attempt may succeed. */
export class MailUnavailable extends MailError {
  override readonly name = 'MailUnavailable'
}

/** The mail server does not accept the message now (4xx). Nothing was sent; another attempt may succeed. */
export class MailPostponed extends MailError {
  override readonly name = 'MailPostponed'
}

/** The mail server refuses the message for good (5xx). Nothing was sent. */
export class MailRefused extends MailError {
  override readonly name = 'MailRefused'
}

/** The mail server received the message and did not confirm it: it may have been delivered. */
export class MailOutcomeUnknown extends MailError {
  override readonly name = 'MailOutcomeUnknown'
  constructor() {
    super('outcome-unknown')
  }
}
