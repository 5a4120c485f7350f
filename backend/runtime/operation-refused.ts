/** An operation that is not possible in the current state. Command-line tools print its message and exit with code 1. */
export class OperationRefused extends Error {
  override readonly name = 'OperationRefused'
}
