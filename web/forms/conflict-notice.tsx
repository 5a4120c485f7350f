import { makeStyles, Text, ToggleButton, tokens } from '@fluentui/react-components'
import { ArrowRight16Regular, CheckmarkRegular, PersonEditRegular } from '@fluentui/react-icons'
import { useEffect, useRef } from 'react'
import { formatDateTime } from '#web/ui/dates.ts'
import { Notice } from '#web/ui/notice.tsx'
import { SecondaryText } from '#web/ui/text.tsx'

const useStyles = makeStyles({
  notice: { marginBottom: '16px', ':focus': { outline: 'none' } },
  list: { listStyleType: 'none', margin: '8px 0 0', padding: 0, display: 'grid', rowGap: '8px' },
  line: {
    display: 'grid',
    rowGap: '4px',
    padding: '8px 12px',
    borderRadius: tokens.borderRadiusMedium,
    borderLeft: `3px solid ${tokens.colorBrandStroke1}`,
    backgroundColor: tokens.colorBrandBackground2,
    color: tokens.colorNeutralForeground1,
    overflowWrap: 'anywhere',
  },
  change: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: '8px' },
  quiet: { color: tokens.colorNeutralForeground2 },
  choice: { display: 'flex', flexWrap: 'wrap', columnGap: '8px', rowGap: '8px', marginTop: '4px' },
})

function Choice({ label, chosen, onChoose }: { label: string; chosen: boolean; onChoose: () => void }) {
  const icon = chosen ? <CheckmarkRegular /> : undefined
  return (
    <ToggleButton size="small" checked={chosen} icon={icon} onClick={onChoose}>
      {label}
    </ToggleButton>
  )
}

/** One field that somebody else changed while a form was open. */
export type FieldConflict<Field extends string> = {
  field: Field
  before: string
  theirs: string
  by: string | null
  at: string
  /** Changed here as well, to something else: a person has to choose. */
  isContested: boolean
}

type MeanwhileNoticeProps<Field extends string> = {
  overtaken: readonly FieldConflict<Field>[]
  /** What the form calls each field. */
  words: Record<Field, string>
  /** What was changed: "this record". */
  what?: string
  /** Fields of which the other's value was taken. */
  taken: ReadonlySet<Field>
  onChoose: (field: Field, whose: 'theirs' | 'mine') => void
}

/** What others changed while this form was open. Nothing typed is lost; where both changed a field, a person chooses. */
export function ConflictNotice<Field extends string>({
  overtaken,
  words,
  what = 'this record',
  taken,
  onChoose,
}: MeanwhileNoticeProps<Field>) {
  const styles = useStyles()
  const top = useRef<HTMLDivElement>(null)
  useEffect(() => top.current?.focus(), [])
  const who = [...new Set(overtaken.flatMap(({ by }) => by ?? []))].join(', ') || 'Somebody'
  const contested = overtaken.some((change) => change.isContested)
  return (
    <div ref={top} tabIndex={-1} className={styles.notice}>
      <Notice
        tone="waiting"
        icon={PersonEditRegular}
        title={`${who} changed ${what} while you were editing`}
        role="alert"
      >
        <Text>
          {contested
            ? 'Nothing you entered is lost. Choose whose value stays, then save again.'
            : 'Nothing you entered is lost. Look at the changes, then save again.'}
        </Text>
        <ul className={styles.list}>
          {overtaken.map(({ field, before, theirs, by, at, isContested: both }) => (
            <li key={field} className={styles.line}>
              <span className={styles.change}>
                <Text weight="medium">{words[field]}</Text>
                <s className={styles.quiet}>{before || 'empty'}</s>
                <ArrowRight16Regular aria-label="became" />
                <strong>{theirs || 'empty'}</strong>
              </span>
              <SecondaryText className={styles.quiet}>
                {[by, formatDateTime(at)].filter(Boolean).join(', ')}
              </SecondaryText>
              {both && (
                <span className={styles.choice} role="group" aria-label={words[field]}>
                  <Choice label="Take theirs" chosen={taken.has(field)} onChoose={() => onChoose(field, 'theirs')} />
                  <Choice label="Keep mine" chosen={!taken.has(field)} onChoose={() => onChoose(field, 'mine')} />
                </span>
              )}
            </li>
          ))}
        </ul>
      </Notice>
    </div>
  )
}
