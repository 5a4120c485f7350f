import { makeStyles, tokens } from '@fluentui/react-components'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Appointment } from '#contracts/appointments.ts'
import { listForms } from '#contracts/forms.ts'
import { call } from '#web/api/call.ts'
import { useHasPermission } from '#web/entities/accounts/current-user.ts'
import { isClosed } from '#web/entities/appointments/appointment-status.ts'
import { formKeys } from '#web/entities/forms/form-keys.ts'
import { DetailPair } from '../detail-list.tsx'

/** The most forms that are named. */
const maxForms = 5

const useStyles = makeStyles({
  link: { display: 'block', padding: '2px 0', color: tokens.colorBrandForegroundLink },
})

type FormsPairProps = { appointment: Pick<Appointment, 'patientId' | 'status'>; onClose: () => void }

/**
 * The forms of the patient that are not handed in or not reviewed, with links to them: the desk can ask for them.
 * Nothing once the appointment is over.
 */
export function FormsPair({ appointment: { patientId, status }, onClose }: FormsPairProps) {
  const styles = useStyles()
  const mayRead = useHasPermission('patients:read')
  const query = { patientId, status: 'pending', limit: maxForms } as const
  const { data = [] } = useQuery({
    queryKey: formKeys.page(query),
    queryFn: ({ signal }) => call(listForms, { query }, signal),
    enabled: mayRead && !isClosed(status),
    staleTime: 0,
  })
  if (data.length === 0) return null
  return (
    <DetailPair term="Forms">
      {data.map(({ id, title, submittedAt }) => (
        <Link key={id} to="/forms/$formId" params={{ formId: id }} className={styles.link} onClick={onClose}>
          {`${title}: ${submittedAt === null ? 'not handed in' : 'not reviewed'}`}
        </Link>
      ))}
    </DetailPair>
  )
}
