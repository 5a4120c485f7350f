import { makeStyles, Skeleton, SkeletonItem } from '@fluentui/react-components'
import { BotSparkle20Regular } from '@fluentui/react-icons/svg/bot-sparkle'
import { Flow20Regular } from '@fluentui/react-icons/svg/flow'
import { Hourglass20Regular } from '@fluentui/react-icons/svg/hourglass'
import { Money20Regular } from '@fluentui/react-icons/svg/money'
import type { FluentIcon } from '@fluentui/react-icons'
import { FigureFrame, FigureValue } from '#web/ui/figure-frame.tsx'
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
          <FigureFrame key={key} icon={icons[key]} label={label} isDense>
            {figures === undefined ? (
              <Skeleton aria-label={`Loading ${label}`}>
                <SkeletonItem size={36} className={styles.loading} />
              </Skeleton>
            ) : (
              <FigureValue value={figures === null ? '-' : (figure?.value ?? null)} />
            )}
            {figure?.note && <SecondaryText>{figure.note}</SecondaryText>}
          </FigureFrame>
        )
      })}
    </section>
  )
}
