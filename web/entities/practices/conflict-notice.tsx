import { makeStyles, Text, ToggleButton, tokens } from '@fluentui/react-components'
import { ArrowRight16Regular } from '@fluentui/react-icons/svg/arrow-right'
import { CheckmarkRegular } from '@fluentui/react-icons/svg/checkmark'
import { PersonEditRegular } from '@fluentui/react-icons/svg/person-edit'
import { useEffect, useRef } from 'react'
import type { FieldConflict } from '#web/forms/field-conflicts.ts'
import { Notice } from '#web/ui/notice.tsx'
import { SecondaryText } from '#web/ui/text.tsx'
import { useFormatInstant } from './practice-time.ts'

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
  secondary: { color: tokens.colorNeutralForeground2 },
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

type ConflictNoticeProps<Field extends string> = {
  conflicts: readonly FieldConflict<Field>[]
  labels: Record<Field, string>
  /** Name of the changed record in the title. */
  subject?: string
  /** Contested fields for which the other value was chosen. */
  takenFields: ReadonlySet<Field>
  onChoose: (field: Field, side: 'theirs' | 'mine') => void
}

/** Lists what others changed while this form was open. Typed values are kept; for contested fields the user chooses. */
export function ConflictNotice<Field extends string>({
  conflicts,
  labels,
  subject = 'this record',
  takenFields,
  onChoose,
}: ConflictNoticeProps<Field>) {
  const styles = useStyles()
  const formatInstant = useFormatInstant()
  const top = useRef<HTMLDivElement>(null)
  useEffect(() => top.current?.focus(), [])
  const authors = [...new Set(conflicts.flatMap(({ by }) => by ?? []))].join(', ') || 'Another user'
  const hasContested = conflicts.some((conflict) => conflict.isContested)
  return (
    <div ref={top} tabIndex={-1} className={styles.notice}>
      <Notice
        tone="warning"
        icon={PersonEditRegular}
        title={`${authors} changed ${subject} while you were editing`}
        role="alert"
      >
        <Text>
          {hasContested
            ? 'Nothing you entered is lost. Choose which value to keep, then save again.'
            : 'Nothing you entered is lost. Review the changes, then save again.'}
        </Text>
        <ul className={styles.list}>
          {conflicts.map(({ field, before, theirs, by, at, isContested }) => (
            <li key={field} className={styles.line}>
              <span className={styles.change}>
                <Text weight="medium">{labels[field]}</Text>
                <s className={styles.secondary}>{before || 'empty'}</s>
                <ArrowRight16Regular aria-label="became" />
                <strong>{theirs || 'empty'}</strong>
              </span>
              <SecondaryText className={styles.secondary}>
                {[by, formatInstant(at)].filter(Boolean).join(', ')}
              </SecondaryText>
              {isContested && (
                <span className={styles.choice} role="group" aria-label={labels[field]}>
                  <Choice
                    label="Use theirs"
                    chosen={takenFields.has(field)}
                    onChoose={() => onChoose(field, 'theirs')}
                  />
                  <Choice label="Keep mine" chosen={!takenFields.has(field)} onChoose={() => onChoose(field, 'mine')} />
                </span>
              )}
            </li>
          ))}
        </ul>
      </Notice>
    </div>
  )
}
