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
  // Fluent's Spinner would be three times this file's weight, in the first load of everybody.
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

/** While it is not known yet who is asking, or a screen is on its way. */
export function LoadingScreen() {
  const styles = useStyles()
  return (
    <div className={styles.root} role="status">
      <span className={styles.ring} aria-hidden="true" />
      Loading...
    </div>
  )
}
