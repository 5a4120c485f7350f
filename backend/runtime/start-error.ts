/** A start that cannot go on for a reason the reader can mend. The message is the one line that is printed; exit code 1. */
export class StartError extends Error {
  override name = 'StartError'
}
