import { makeStyles, Skeleton, SkeletonItem, Text, tokens } from '@fluentui/react-components'
import { BotSparkle20Regular } from '@fluentui/react-icons/svg/bot-sparkle'
import { Flow20Regular } from '@fluentui/react-icons/svg/flow'
import { Hourglass20Regular } from '@fluentui/react-icons/svg/hourglass'
import { Money20Regular } from '@fluentui/react-icons/svg/money'
import type { FluentIcon } from '@fluentui/react-icons'
import type { ReactNode } from 'react'
import { SecondaryText } from '#web/ui/text.tsx'
import type { SummaryFigure } from './hub-model.ts'

const narrow = '@media (max-width: 639px)'

const useStyles = makeStyles({
  row: {
    display: 'grid',
    gridTemplateColumns: 'repeat(4, minmax(0, 1fr))',
    columnGap: '16px',
    rowGap: '8px',
    '@media (max-width: 1023px)': { gridTemplateColumns: 'repeat(2, minmax(0, 1fr))' },
    [narrow]: { columnGap: '8px' },
  },
  card: {
    display: 'grid',
    alignContent: 'start',
    rowGap: '4px',
    minWidth: 0,
    padding: '14px 20px',
    backgroundColor: tokens.colorNeutralBackground1,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusXLarge,
    [narrow]: { padding: '10px 12px' },
  },
  label: {
    display: 'flex',
    alignItems: 'center',
    columnGap: '6px',
    margin: 0,
    color: tokens.colorNeutralForeground2,
    fontSize: tokens.fontSizeBase300,
    lineHeight: tokens.lineHeightBase300,
    fontWeight: tokens.fontWeightMedium,
    [narrow]: { fontSize: tokens.fontSizeBase200, lineHeight: tokens.lineHeightBase200 },
  },
  icon: { flexShrink: 0, color: tokens.colorNeutralForeground3, [narrow]: { display: 'none' } },
  value: {
    fontSize: tokens.fontSizeHero700,
    lineHeight: tokens.lineHeightHero700,
    fontWeight: tokens.fontWeightSemibold,
    letterSpacing: '-0.015em',
    fontVariantNumeric: 'tabular-nums',
    [narrow]: { fontSize: tokens.fontSizeBase600, lineHeight: tokens.lineHeightBase600 },
  },
  missing: { lineHeight: tokens.lineHeightHero700, [narrow]: { lineHeight: tokens.lineHeightBase600 } },
  loading: { width: '72px' },
})

const icons: Record<SummaryFigure['key'], FluentIcon> = {
  efficiency: Flow20Regular,
  interactions: BotSparkle20Regular,
  time: Hourglass20Regular,
  savings: Money20Regular,
}

const placeholders: readonly (readonly [key: SummaryFigure['key'], label: string])[] = [
  ['efficiency', 'Automation Efficiency'],
  ['interactions', 'AI Interactions'],
  ['time', 'Time Saved'],
  ['savings', 'Cost Savings'],
]

type SummaryCardsProps = {
  /** Undefined while they are loading; null when they could not be loaded. */
  figures: readonly SummaryFigure[] | null | undefined
}

/** The four figures above the tabs. */
export function SummaryCards({ figures }: SummaryCardsProps) {
  const styles = useStyles()
  return (
    <section className={styles.row} aria-label="Figures">
      {placeholders.map(([key, label]) => {
        const figure = figures?.find((one) => one.key === key)
        return (
          <SummaryCard key={key} icon={icons[key]} label={label} note={figure?.note}>
            {figures === undefined ? (
              <Skeleton aria-label={`Loading ${label}`}>
                <SkeletonItem size={36} className={styles.loading} />
              </Skeleton>
            ) : (
              <SummaryValue value={figures === null ? '-' : (figure?.value ?? null)} />
            )}
          </SummaryCard>
        )
      })}
    </section>
  )
}

type SummaryCardProps = { icon: FluentIcon; label: string; note: string | undefined; children: ReactNode }

function SummaryCard({ icon: Icon, label, note, children }: SummaryCardProps) {
  const styles = useStyles()
  return (
    <div className={styles.card}>
      <h2 className={styles.label}>
        <Icon className={styles.icon} aria-hidden />
        {label}
      </h2>
      {children}
      {note && <SecondaryText>{note}</SecondaryText>}
    </div>
  )
}

function SummaryValue({ value }: { value: string | null }) {
  const styles = useStyles()
  return <Text className={value === null ? styles.missing : styles.value}>{value ?? 'Not enough data yet'}</Text>
}
