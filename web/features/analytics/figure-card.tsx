import { Link, makeStyles, Skeleton, SkeletonItem, tokens } from '@fluentui/react-components'
import { CalendarCheckmark20Regular } from '@fluentui/react-icons/svg/calendar-checkmark'
import { Money20Regular } from '@fluentui/react-icons/svg/money'
import { People20Regular } from '@fluentui/react-icons/svg/people'
import { Star20Regular } from '@fluentui/react-icons/svg/star'
import type { FluentIcon } from '@fluentui/react-icons'
import { FigureFrame, FigureTrend, FigureValue } from '#web/ui/figure-frame.tsx'
import { figureDefinitions } from '#contracts/values/analytics.ts'
import type { CardKey, FigureCardModel } from './analytics-model.ts'

const useStyles = makeStyles({
  card: { justifyItems: 'start' },
  open: { fontSize: tokens.fontSizeBase200, lineHeight: tokens.lineHeightBase200, textAlign: 'left' },
  skeleton: { width: '100%' },
})

const icons: Record<CardKey, FluentIcon> = {
  'patient-growth': People20Regular,
  'appointment-rate': CalendarCheckmark20Regular,
  'revenue-growth': Money20Regular,
  satisfaction: Star20Regular,
}

type FigureCardProps = {
  figure: FigureCardModel
  /** Opens the records behind the figure; null in the demo, whose figures stand for none. */
  onOpen: (() => void) | null
}

/** A figure with its change, and the number of records behind it. */
export function FigureCard({ figure, onOpen }: FigureCardProps) {
  const styles = useStyles()
  const { key, label, value, note, direction, openLabel } = figure
  return (
    <FigureFrame className={styles.card} icon={icons[key]} label={label}>
      <FigureValue value={value} />
      {note && <FigureTrend direction={direction}>{note}</FigureTrend>}
      {onOpen && openLabel && (
        <Link as="button" className={styles.open} onClick={onOpen} aria-label={`${openLabel} behind ${label}`}>
          {openLabel}
        </Link>
      )}
    </FigureFrame>
  )
}

/** Placeholder while a figure loads. */
export function FigureCardSkeleton({ figure }: { figure: CardKey }) {
  const styles = useStyles()
  const { label } = figureDefinitions[figure]
  return (
    <FigureFrame className={styles.card} icon={icons[figure]} label={label}>
      <Skeleton className={styles.skeleton} aria-label={`Loading ${label}`}>
        <SkeletonItem size={36} />
      </Skeleton>
    </FigureFrame>
  )
}
