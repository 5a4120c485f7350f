import { formatName } from '#web/ui/format.ts'
import { Button, makeStyles, Text, tokens } from '@fluentui/react-components'
import { PeopleTeamRegular } from '@fluentui/react-icons/svg/people-team'
import { useEffect, useRef } from 'react'
import type { DuplicateCandidate, DuplicateReason } from '#contracts/patients.ts'
import { formatDate } from '#web/ui/dates.ts'
import { Notice } from '#web/ui/notice.tsx'
import { Person } from '#web/ui/person.tsx'

const useStyles = makeStyles({
  notice: { marginBottom: '16px' },
  list: { listStyleType: 'none', margin: '8px 0 0', padding: 0, display: 'grid', rowGap: '8px' },
  line: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    justifyContent: 'space-between',
    columnGap: '12px',
    rowGap: '8px',
    padding: '8px 12px',
    borderRadius: tokens.borderRadiusMedium,
    backgroundColor: tokens.colorNeutralBackground1,
  },
})

const reasonLabels: Record<DuplicateReason, string> = {
  'same-name-and-birth-date': 'Same name and date of birth',
  'same-phone': 'Same phone',
  'same-email': 'Same email',
}

type DuplicateNoticeProps = {
  candidates: readonly DuplicateCandidate[]
  pending: boolean
  onOpen: (patientId: string) => void
  onAddAnyway: () => void
}

/** Shows possible duplicates of a new patient. Two people can share a name, so adding stays possible. */
export function DuplicateNotice({ candidates, pending, onOpen, onAddAnyway }: DuplicateNoticeProps) {
  const styles = useStyles()
  const first = useRef<HTMLButtonElement>(null)
  useEffect(() => first.current?.focus(), [])
  const title =
    candidates.length === 1 ? 'This patient may be registered already' : 'One of these may be the same patient'
  return (
    <Notice
      tone="warning"
      icon={PeopleTeamRegular}
      title={title}
      role="alert"
      className={styles.notice}
      actions={
        <Button disabledFocusable={pending} onClick={() => !pending && onAddAnyway()}>
          {pending ? 'Adding...' : 'Add anyway'}
        </Button>
      }
    >
      <ul className={styles.list}>
        {candidates.map((candidate, index) => {
          const { id, dateOfBirth, phoneNational, email, reasons } = candidate
          const facts = [dateOfBirth && formatDate(dateOfBirth), phoneNational, email].filter(Boolean).join(', ')
          return (
            <li key={id} className={styles.line}>
              <span>
                <Person name={formatName(candidate)} detail={facts} size={32} />
                <Text size={200}>{reasons.map((reason) => reasonLabels[reason]).join(', ')}</Text>
              </span>
              <Button
                ref={index === 0 ? first : undefined}
                size="small"
                aria-label={`Open ${formatName(candidate)}`}
                onClick={() => onOpen(id)}
              >
                Open
              </Button>
            </li>
          )
        })}
      </ul>
    </Notice>
  )
}
