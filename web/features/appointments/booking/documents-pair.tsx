import { makeStyles, tokens } from '@fluentui/react-components'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Appointment } from '#contracts/appointments.ts'
import { listClinicalDocuments } from '#contracts/clinical-documentation.ts'
import { showsSampleData } from '#contracts/values/tiers.ts'
import { call } from '#web/api/call.ts'
import { useCurrentUser, useHasPermission } from '#web/entities/accounts/current-user.ts'
import { documentStatusLabels, documentTypeLabels } from '#web/entities/records/document-labels.ts'
import { recordKeys } from '#web/entities/records/record-keys.ts'
import { DetailPair } from '../detail-list.tsx'

/** The most documents that are named. */
const maxDocuments = 5

const useStyles = makeStyles({
  link: { display: 'block', padding: '2px 0', color: tokens.colorBrandForegroundLink },
})

type DocumentsPairProps = {
  appointment: Pick<Appointment, 'id' | 'status' | 'appointmentDate'>
  now: Date
  onClose: () => void
}

/**
 * The clinical documents of an appointment, with links to them, and one that writes a note once the appointment has begun. Nothing
 * for roles that do not read them.
 */
export function DocumentsPair({ appointment, now, onClose }: DocumentsPairProps) {
  const styles = useStyles()
  const user = useCurrentUser()
  const mayRead = useHasPermission('clinical:read')
  const mayWrite = useHasPermission('clinical:write')
  // Demo users have the roadmap in place of the hub.
  const isShown = mayRead && user !== null && user !== undefined && !showsSampleData(user)
  const query = { appointmentId: appointment.id, limit: maxDocuments }
  const { data } = useQuery({
    queryKey: recordKeys.page('clinical-documentation', query),
    queryFn: ({ signal }) => call(listClinicalDocuments, { query }, signal),
    enabled: isShown,
    staleTime: 0,
  })
  const canWrite = mayWrite && hasBegun(appointment, now)
  if (!data || (data.length === 0 && !canWrite)) return null
  return (
    <DetailPair term="Documentation">
      {data.map(({ id, documentType, status }) => (
        <Link
          key={id}
          to="/automation"
          // The lists of records parse their own parameters.
          search={{ tab: 'clinical', record: id } as { tab: 'clinical' }}
          className={styles.link}
          onClick={onClose}
        >
          {`${documentTypeLabels[documentType]}, ${documentStatusLabels[status].toLowerCase()}`}
        </Link>
      ))}
      {data.length === 0 && (
        <Link
          to="/automation"
          search={{ tab: 'clinical', appointment: appointment.id } as { tab: 'clinical' }}
          className={styles.link}
          onClick={onClose}
        >
          Write a note
        </Link>
      )}
    </DetailPair>
  )
}

const hasBegun = ({ status, appointmentDate }: DocumentsPairProps['appointment'], now: Date) =>
  status === 'in-progress' ||
  status === 'completed' ||
  ((status === 'scheduled' || status === 'confirmed') && new Date(appointmentDate) <= now)
