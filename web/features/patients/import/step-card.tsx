import { makeStyles, tokens } from '@fluentui/react-components'
import { type ReactNode, useEffect, useRef } from 'react'
import { Stepper } from '#web/ui/stepper.tsx'

const useStyles = makeStyles({
  steps: { padding: '4px 0' },
  card: {
    backgroundColor: tokens.colorNeutralBackground1,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusXLarge,
    minWidth: 0,
    overflow: 'clip',
    ':focus': { outline: 'none' },
  },
  footer: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    columnGap: '8px',
    rowGap: '8px',
    padding: '12px 20px',
    borderTop: `1px solid ${tokens.colorNeutralStroke2}`,
    backgroundColor: tokens.colorNeutralBackground2,
    '@media (max-width: 639px)': { padding: '12px' },
  },
  alignEnd: { marginRight: 'auto' },
})

/** Titles of the steps of an import. */
const importSteps = ['Choose file', 'Columns', 'Check', 'Import', 'Report'] as const

type StepCardProps = {
  at: number
  /** Content at the left of the footer. */
  aside?: ReactNode
  /** Buttons at the right of the footer. */
  actions?: ReactNode
  children: ReactNode
}

/** Card of one step, with the stepper above and the actions below. Takes the focus when the step changes. */
export function StepCard({ at, aside, actions, children }: StepCardProps) {
  const styles = useStyles()
  const card = useRef<HTMLElement>(null)
  const previous = useRef(at)
  useEffect(() => {
    // The step that shows the progress replaces the card, with the button that was pressed.
    const isFocusLost = at > 0 && document.activeElement === document.body
    if (previous.current === at && !isFocusLost) return
    previous.current = at
    card.current?.focus()
    scrollTo({ top: 0 })
  }, [at])
  return (
    <>
      <div className={styles.steps}>
        <Stepper steps={importSteps} current={at} label="Import" />
      </div>
      <section ref={card} tabIndex={-1} className={styles.card} aria-label={importSteps[at]}>
        {children}
        {(aside || actions) && (
          <div className={styles.footer}>
            <span className={styles.alignEnd}>{aside}</span>
            {actions}
          </div>
        )}
      </section>
    </>
  )
}
