import { makeStyles, tokens } from '@fluentui/react-components'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { listConfirmations } from '#contracts/confirmations.ts'
import { call } from '#web/api/call.ts'
import { useCurrentUser } from '#web/entities/accounts/current-user.ts'
import { confirmationKeys } from '#web/entities/confirmations/confirmation-keys.ts'
import { useFormatInstant } from '#web/entities/practices/practice-time.ts'
import { DetailPair } from '../detail-list.tsx'
import { describeQuestion } from './describe-question.ts'

const useStyles = makeStyles({
  link: { display: 'block', padding: '2px 0', color: tokens.colorBrandForegroundLink },
})

/** The questions to the patient whether the appointment suits, with links to them; nothing for practices that ask none. */
export function QuestionPair({ appointmentId, onClose }: { appointmentId: string; onClose: () => void }) {
  const styles = useStyles()
  const formatInstant = useFormatInstant()
  const hasPlan = useCurrentUser()?.subscriptionStatus !== 'demo'
  const { data = [] } = useQuery({
    queryKey: confirmationKeys.ofAppointment(appointmentId),
    queryFn: ({ signal }) => call(listConfirmations, { query: { appointmentId, limit: 10 } }, signal),
    enabled: hasPlan,
    staleTime: 0,
  })
  const questions = data.flatMap((confirmation) => {
    const text = describeQuestion(confirmation, formatInstant)
    return text === null ? [] : [{ id: confirmation.id, text }]
  })
  if (questions.length === 0) return null
  return (
    <DetailPair term="Question">
      {questions.map(({ id, text }) => (
        <Link
          key={id}
          to="/automation"
          search={{ tab: 'appointments', confirmation: id }}
          className={styles.link}
          onClick={onClose}
        >
          {text}
        </Link>
      ))}
    </DetailPair>
  )
}
