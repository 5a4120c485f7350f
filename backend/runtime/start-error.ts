/** A start that fails for a reason the operator can fix. The message is printed as one line; exit code 1. */
export class StartError extends Error {
  override name = 'StartError'
}
