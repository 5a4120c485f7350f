import { Button, makeStyles, Text, tokens } from '@fluentui/react-components'
import { ArrowClockwiseRegular, CloudErrorRegular } from '@fluentui/react-icons'

const useStyles = makeStyles({
  root: {
    display: 'flex',
    flexDirection: 'column',
    alignItems: 'center',
    rowGap: tokens.spacingVerticalM,
    padding: '64px 24px 72px',
  },
  ring: {
    width: '64px',
    height: '64px',
    borderRadius: tokens.borderRadiusCircular,
    display: 'grid',
    placeItems: 'center',
    fontSize: '28px',
    color: tokens.colorStatusDangerForeground1,
    backgroundColor: tokens.colorStatusDangerBackground1,
  },
  text: { display: 'flex', flexDirection: 'column', rowGap: tokens.spacingVerticalXS, maxWidth: '420px' },
  hint: { color: tokens.colorNeutralForeground3 },
})

/** What failed, what is safe, Try again. Never a code alone. */
export function ErrorState({ title, hint, onRetry }: { title: string; hint: string; onRetry?: () => void }) {
  const styles = useStyles()
  return (
    <div className={styles.root} role="alert">
      <span className={styles.ring}>
        <CloudErrorRegular aria-hidden />
      </span>
      <span className={styles.text}>
        <Text size={400} weight="semibold" align="center">
          {title}
        </Text>
        <Text className={styles.hint} align="center">
          {hint}
        </Text>
      </span>
      <Button icon={<ArrowClockwiseRegular />} onClick={onRetry}>
        Try again
      </Button>
    </div>
  )
}
