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
  foot: {
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
  push: { marginRight: 'auto' },
})

/** The steps of an import, in their order. */
export const importSteps = ['Choose file', 'Columns', 'Check', 'Import', 'Report'] as const

type StepCardProps = {
  at: number
  /** Left in the foot: leave. */
  aside?: ReactNode
  /** Right in the foot: back, and the one thing to do next. */
  actions?: ReactNode
  children: ReactNode
}

/** One step: where it stands among the five, what it asks, and below it the ways on. */
export function StepCard({ at, aside, actions, children }: StepCardProps) {
  const styles = useStyles()
  const card = useRef<HTMLElement>(null)
  const last = useRef(at)
  useEffect(() => {
    if (last.current === at) return
    last.current = at
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
          <div className={styles.foot}>
            <span className={styles.push}>{aside}</span>
            {actions}
          </div>
        )}
      </section>
    </>
  )
}
