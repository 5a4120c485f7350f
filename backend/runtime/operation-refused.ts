/** An operation that is not possible in the present state. Command-line tools print its message as one line and exit with code 1. */
export class OperationRefused extends Error {
  override readonly name = 'OperationRefused'
}
