import { makeStyles, Skeleton, SkeletonItem, Subtitle2, Switch, tokens } from '@fluentui/react-components'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import type { AutomationSwitch } from '#contracts/automation.ts'
import type { SwitchableAutomation } from '#contracts/values/automation.ts'
import { errorMessage } from '#web/api/call.ts'
import { useFormatInstant } from '#web/entities/practices/practice-time.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { SecondaryText } from '#web/ui/text.tsx'
import { switchesQuery, useSwitch } from './api.ts'
import { describeSwitch, switchTexts } from './switch-texts.ts'

const useStyles = makeStyles({
  section: {
    display: 'grid',
    rowGap: '12px',
    paddingBottom: '16px',
    borderBottom: `1px solid ${tokens.colorNeutralStroke2}`,
  },
  list: { listStyleType: 'none', margin: 0, padding: 0, display: 'grid', rowGap: '12px' },
  // The text starts below the label of the switch.
  text: { display: 'grid', rowGap: '2px', paddingLeft: '60px' },
})

type SwitchListProps = {
  /** The automations that are shown. */
  shown: readonly SwitchableAutomation[]
}

/** Switches of what runs by itself. Each takes effect at once. */
export function SwitchList({ shown }: SwitchListProps) {
  const styles = useStyles()
  const id = useId()
  const { data, error, refetch } = useQuery(switchesQuery)
  return (
    <section className={styles.section} aria-labelledby={id}>
      <Subtitle2 as="h3" id={id}>
        Runs by itself
      </Subtitle2>
      {error && !data ? (
        <ErrorState title="Failed to fetch the switches" hint={errorMessage(error)} onRetry={() => void refetch()} />
      ) : data ? (
        <ul className={styles.list}>
          {data
            .filter(({ automation }) => shown.includes(automation))
            .map((each) => (
              <SwitchRow key={each.automation} automationSwitch={each} />
            ))}
        </ul>
      ) : (
        <Skeleton aria-label="Loading the switches">
          <SkeletonItem size={48} />
        </Skeleton>
      )}
      <SecondaryText as="p">A switch takes effect at once.</SecondaryText>
    </section>
  )
}

function SwitchRow({ automationSwitch }: { automationSwitch: AutomationSwitch }) {
  const styles = useStyles()
  const id = useId()
  const formatInstant = useFormatInstant()
  const { change, changing } = useSwitch()
  const { automation, isOn, isConnected } = automationSwitch
  const { label, hint } = switchTexts[automation]
  return (
    <li>
      <Switch
        label={label}
        checked={isOn && isConnected}
        disabled={!isConnected}
        disabledFocusable={changing === automation}
        aria-describedby={id}
        onChange={(_, { checked }) => change({ automation, isOn: checked })}
      />
      <div id={id} className={styles.text}>
        <SecondaryText>{hint}</SecondaryText>
        <SecondaryText>{describeSwitch(automationSwitch, formatInstant)}</SecondaryText>
      </div>
    </li>
  )
}
