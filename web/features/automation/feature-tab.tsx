import { Button, makeStyles, Text, tokens } from '@fluentui/react-components'
import { CheckmarkCircle20Regular } from '@fluentui/react-icons/svg/checkmark-circle'
import { Circle20Regular } from '@fluentui/react-icons/svg/circle'
import type { ReactNode } from 'react'
import { Panel } from '#web/ui/panel.tsx'
import { SecondaryText } from '#web/ui/text.tsx'
import { featureTabs, type FeatureTabName } from './feature-texts.ts'

const useStyles = makeStyles({
  list: {
    listStyleType: 'none',
    margin: 0,
    padding: 0,
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 360px), 1fr))',
    columnGap: '32px',
    rowGap: '14px',
  },
  item: { display: 'grid', gridTemplateColumns: '20px minmax(0, 1fr)', columnGap: '10px' },
  done: { color: tokens.colorStatusSuccessForeground1 },
  planned: { color: tokens.colorNeutralForeground3 },
  text: { display: 'grid', rowGap: '2px' },
  title: { fontWeight: tokens.fontWeightSemibold },
  foot: { display: 'flex', flexWrap: 'wrap', columnGap: '8px', rowGap: '8px', paddingTop: '20px' },
})

type FeatureTabProps = {
  tab: FeatureTabName
  canAskInsurers: boolean
  /** Opens the settings; null for users who may not change them. */
  onConfigure: (() => void) | null
  children?: ReactNode
}

/** A tab that lists what runs by itself in one area, and what does not yet. */
export function FeatureTab({ tab, canAskInsurers, onConfigure, children }: FeatureTabProps) {
  const styles = useStyles()
  const { title, features } = featureTabs[tab]
  const shown = features.map((feature) =>
    feature.needsClearinghouse ? { ...feature, isAvailable: canAskInsurers } : feature,
  )
  return (
    <Panel title={title}>
      <ul className={styles.list} aria-label={title}>
        {shown.map(({ name, detail, isAvailable }) => (
          <li key={name} className={styles.item}>
            {isAvailable ? (
              <CheckmarkCircle20Regular className={styles.done} aria-label="Available" />
            ) : (
              <Circle20Regular className={styles.planned} aria-label="Not available yet" />
            )}
            <span className={styles.text}>
              <Text className={styles.title}>{name}</Text>
              <SecondaryText>{isAvailable ? detail : `Not available yet. ${detail}`}</SecondaryText>
            </span>
          </li>
        ))}
      </ul>
      <div className={styles.foot}>
        {onConfigure && <Button onClick={onConfigure}>Configure Settings</Button>}
        {children}
      </div>
    </Panel>
  )
}
