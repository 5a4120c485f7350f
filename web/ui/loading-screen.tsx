import { makeStyles, tokens } from '@fluentui/react-components'

const useStyles = makeStyles({
  root: {
    minHeight: '60dvh',
    display: 'grid',
    placeContent: 'center',
    justifyItems: 'center',
    rowGap: '12px',
    fontFamily: tokens.fontFamilyBase,
    fontSize: tokens.fontSizeBase300,
    color: tokens.colorNeutralForeground2,
  },
  // Fluent's Spinner is three times the size of this file, and this file is part of every first load.
  ring: {
    width: '28px',
    height: '28px',
    boxSizing: 'border-box',
    borderRadius: tokens.borderRadiusCircular,
    border: `3px solid ${tokens.colorBrandStroke2}`,
    borderTopColor: tokens.colorBrandStroke1,
    animationName: { to: { transform: 'rotate(360deg)' } },
    animationDuration: '1.2s',
    animationTimingFunction: 'linear',
    animationIterationCount: 'infinite',
  },
})

/** Placeholder while the current user or a screen is loading. */
export function LoadingScreen() {
  const styles = useStyles()
  return (
    <div className={styles.root} role="status">
      <span className={styles.ring} aria-hidden="true" />
      Loading...
    </div>
  )
}
