import { formatNumber } from './format.ts'
import { Button, makeStyles } from '@fluentui/react-components'
import { ChevronLeftRegular } from '@fluentui/react-icons/svg/chevron-left'
import { ChevronRightRegular } from '@fluentui/react-icons/svg/chevron-right'

const useStyles = makeStyles({ buttons: { display: 'flex', columnGap: '4px' } })

type PagerProps = {
  /** Page number, from 1. */
  page: number
  pageSize: number
  total: number
  onPage: (page: number) => void
}

/** Footer of a paginated list: range shown, previous and next page. */
export function Pager({ page, pageSize, total, onPage }: PagerProps) {
  const first = Math.min((page - 1) * pageSize + 1, total)
  const last = Math.min(page * pageSize, total)
  const buttons = useStyles().buttons
  return (
    <>
      <span aria-live="polite">
        {formatNumber(first)}–{formatNumber(last)} of {formatNumber(total)}
      </span>
      <span className={buttons}>
        <Button
          size="small"
          appearance="subtle"
          icon={<ChevronLeftRegular />}
          disabledFocusable={page <= 1}
          aria-label="Previous page"
          onClick={() => onPage(page - 1)}
        />
        <Button
          size="small"
          appearance="subtle"
          icon={<ChevronRightRegular />}
          disabledFocusable={last >= total}
          aria-label="Next page"
          onClick={() => onPage(page + 1)}
        />
      </span>
    </>
  )
}
