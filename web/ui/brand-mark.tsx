import { makeStyles, tokens } from '@fluentui/react-components'

const useStyles = makeStyles({
  brand: {
    display: 'inline-flex',
    alignItems: 'center',
    columnGap: tokens.spacingHorizontalMNudge,
    color: tokens.colorNeutralForeground1,
  },
  mark: { color: tokens.colorBrandForeground1, flexShrink: 0, display: 'block' },
  name: {
    display: 'block',
    fontSize: '19px',
    lineHeight: '22px',
    fontWeight: tokens.fontWeightSemibold,
    letterSpacing: '-0.01em',
  },
  tagline: {
    display: 'block',
    fontSize: tokens.fontSizeBase100,
    lineHeight: tokens.lineHeightBase100,
    color: tokens.colorNeutralForeground3,
  },
})

/** Logo: a pulse line that is the bar of an "e" and continues into its ring. */
export function BrandMark({ size = 32 }: { size?: number }) {
  const styles = useStyles()
  return (
    <svg className={styles.mark} width={size} height={size} viewBox="0 0 32 32" fill="none" aria-hidden="true">
      <path
        d="M2 17.5h7.2l2.6-5.6 4.4 10 2.7-4.4H28A11.6 11.6 0 1 0 24.4 25"
        stroke="currentColor"
        strokeWidth="2.9"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}

export function Brand({ tagline }: { tagline?: string }) {
  const styles = useStyles()
  return (
    <span className={styles.brand}>
      <BrandMark />
      <span>
        <span className={styles.name}>Everchart</span>
        {tagline && <span className={styles.tagline}>{tagline}</span>}
      </span>
    </span>
  )
}
