import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components'
import type { ReactNode } from 'react'

const useStyles = makeStyles({
  option: {
    display: 'grid',
    gridTemplateColumns: '28px minmax(0, 1fr) auto',
    alignItems: 'center',
    borderRadius: tokens.borderRadiusMedium,
    cursor: 'pointer',
    // A phone has no room for both: the hint is below the label.
    '@media (max-width: 639px)': {
      gridTemplateColumns: '28px minmax(0, 1fr)',
      '> :nth-child(3)': { gridColumn: 2 },
    },
  },
  active: { backgroundColor: tokens.colorNeutralBackground1Selected },
})

type ListboxOptionProps = {
  id: string
  isActive: boolean
  className: string
  onActivate: () => void
  onChoose: () => void
  children: ReactNode
}

/** Option of a search: icon, label, hint. The input keeps the focus and handles the keys (aria-activedescendant). */
export function ListboxOption({ id, isActive, className, onActivate, onChoose, children }: ListboxOptionProps) {
  const styles = useStyles()
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      className={mergeClasses(styles.option, isActive && styles.active, className)}
      onMouseMove={onActivate}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onChoose}
    >
      {children}
    </div>
  )
}
