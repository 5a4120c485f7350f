import { Button, makeStyles } from '@fluentui/react-components'
import { ChevronLeftRegular } from '@fluentui/react-icons/svg/chevron-left'
import { ChevronRightRegular } from '@fluentui/react-icons/svg/chevron-right'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Form } from '#contracts/forms.ts'
import { formatNumber } from '#web/ui/format.ts'
import { SecondaryText } from '#web/ui/text.tsx'
import { waitingFormsQuery } from '../api.ts'

const useStyles = makeStyles({ pager: { display: 'flex', alignItems: 'center', columnGap: '4px' } })

/** Leads from one form that waits for a review to the next; from any other form to the first of them. */
export function WaitingPager({ formId }: { formId: string }) {
  const styles = useStyles()
  const navigate = useNavigate()
  const { data: forms = [] } = useQuery(waitingFormsQuery)
  const index = forms.findIndex(({ id }) => id === formId)
  const previous = index > 0 ? forms[index - 1] : undefined
  const next = forms[index + 1]
  const count = formatNumber(forms.length)
  const open = (form: Form | undefined) => {
    if (form) void navigate({ to: '/forms/$formId', params: { formId: form.id } })
  }
  return (
    <span className={styles.pager}>
      <SecondaryText>{index < 0 ? `${count} pending` : `${formatNumber(index + 1)} of ${count} pending`}</SecondaryText>
      <Button
        appearance="subtle"
        icon={<ChevronLeftRegular />}
        aria-label="Previous pending form"
        disabledFocusable={!previous}
        onClick={() => open(previous)}
      />
      <Button
        appearance="subtle"
        icon={<ChevronRightRegular />}
        aria-label="Next pending form"
        disabledFocusable={!next}
        onClick={() => open(next)}
      />
    </span>
  )
}
