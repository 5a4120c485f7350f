import { useCurrentUser } from '#web/entities/accounts/current-user.ts'
import { hasPermission } from '#contracts/values/roles.ts'
import { getStatus, type RecordKind, type RecordMove, type RecordRow } from './record-kind.ts'

/** Returns the function that lists the steps of a record that the user may take. */
export function useRecordMoves(kind: RecordKind): (row: RecordRow) => RecordMove[] {
  const user = useCurrentUser()
  return (row) => {
    if (!user || !hasPermission(user, kind.permissions.write)) return []
    return kind.moves.filter(
      ({ from, permission, isOffered }) =>
        from.includes(getStatus(kind, row)) &&
        (permission === undefined || hasPermission(user, permission)) &&
        (isOffered?.(row) ?? true),
    )
  }
}
