import { Button, makeStyles, Text, tokens } from '@fluentui/react-components'
import { DismissRegular } from '@fluentui/react-icons/svg/dismiss'
import { useEffect, useId, useState } from 'react'
import { demoPrompt } from '#contracts/sample-practice.ts'
import { UpgradeButton } from '#web/entities/billing/upgrade-button.tsx'

const useStyles = makeStyles({
  card: {
    position: 'fixed',
    right: '24px',
    bottom: '24px',
    zIndex: 10,
    width: '360px',
    maxWidth: 'calc(100vw - 24px)',
    boxSizing: 'border-box',
    display: 'grid',
    rowGap: '8px',
    padding: '16px 16px 16px 20px',
    borderRadius: tokens.borderRadiusXLarge,
    backgroundColor: tokens.colorNeutralBackground1,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    boxShadow: tokens.shadow16,
    '@media (max-width: 639px)': { right: '12px', bottom: '12px' },
  },
  head: { display: 'flex', justifyContent: 'space-between', alignItems: 'center' },
  title: { margin: 0, fontSize: tokens.fontSizeBase400, lineHeight: tokens.lineHeightBase400 },
  buttons: { display: 'flex', flexWrap: 'wrap', columnGap: '8px', rowGap: '8px', marginTop: '4px' },
})

const storageKey = 'everchart-demo-prompt'

/** Returns whether the prompt was dismissed in this browser session; without session storage it is shown again. */
function wasDismissed(): boolean {
  try {
    return sessionStorage.getItem(storageKey) === 'hidden'
  } catch {
    return false
  }
}

/** Prompt to subscribe, once per browser session: after two minutes or five clicks (spec). */
export function DemoPrompt() {
  const styles = useStyles()
  const id = useId()
  const [trigger, setTrigger] = useState<'time' | 'clicks' | null>(null)
  const [isHidden, setIsHidden] = useState(wasDismissed)
  useEffect(() => {
    if (isHidden) return undefined
    let clicks = 0
    const onClick = ({ target }: MouseEvent) => {
      const isCounted = target instanceof Element && target.closest('[data-testid*="demo"], [data-testid*="patient"]')
      if (isCounted && ++clicks === demoPrompt.afterClicks) setTrigger('clicks')
    }
    // Counted from the page load, including time spent on other screens.
    const timer = setTimeout(
      () => setTrigger((current) => current ?? 'time'),
      Math.max(0, demoPrompt.afterMs - performance.now()),
    )
    addEventListener('click', onClick)
    return () => {
      clearTimeout(timer)
      removeEventListener('click', onClick)
    }
  }, [isHidden])
  if (!trigger || isHidden) return null
  const hide = () => {
    setIsHidden(true)
    try {
      sessionStorage.setItem(storageKey, 'hidden')
    } catch {
      // Hidden until the page is reloaded.
    }
  }
  return (
    <aside className={styles.card} aria-labelledby={id} aria-live="polite">
      <div className={styles.head}>
        <h2 id={id} className={styles.title}>
          Enjoying the Demo?
        </h2>
        <Button size="small" appearance="subtle" icon={<DismissRegular />} aria-label="Close" onClick={hide} />
      </div>
      <Text>
        {trigger === 'clicks'
          ? "You've explored several features! Ready to start managing your practice?"
          : "You've been exploring our healthcare platform. Ready to subscribe and start managing your practice?"}
      </Text>
      <div className={styles.buttons}>
        <UpgradeButton appearance="primary">Start Free Trial</UpgradeButton>
        <Button onClick={hide}>Continue Demo</Button>
      </div>
    </aside>
  )
}
