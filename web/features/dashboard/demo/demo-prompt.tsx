import { Button, makeStyles, Text, tokens } from '@fluentui/react-components'
import { DismissRegular } from '@fluentui/react-icons/svg/dismiss'
import { useEffect, useId, useState } from 'react'
import { demoPrompt } from '#contracts/sample-practice.ts'
import { LinkButton } from '#web/ui/link-button.tsx'

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

/** Kept for the appointment; a browser that keeps nothing asks again. */
function wasDismissed(): boolean {
  try {
    return sessionStorage.getItem(storageKey) === 'hidden'
  } catch {
    return false
  }
}

/** Asks, once an appointment, whether somebody would like to subscribe: after two minutes or five clicks (spec). */
export function DemoPrompt() {
  const styles = useStyles()
  const id = useId()
  const [asks, setAsks] = useState<'time' | 'clicks' | null>(null)
  const [hidden, setHidden] = useState(wasDismissed)
  useEffect(() => {
    if (hidden) return undefined
    let clicks = 0
    const onClick = ({ target }: MouseEvent) => {
      const explored = target instanceof Element && target.closest('[data-testid*="demo"], [data-testid*="patient"]')
      if (explored && ++clicks === demoPrompt.afterClicks) setAsks('clicks')
    }
    // Counted from when the page was loaded, also when one has been elsewhere in it.
    const timer = setTimeout(
      () => setAsks((asked) => asked ?? 'time'),
      Math.max(0, demoPrompt.afterMs - performance.now()),
    )
    addEventListener('click', onClick)
    return () => {
      clearTimeout(timer)
      removeEventListener('click', onClick)
    }
  }, [hidden])
  if (!asks || hidden) return null
  const hide = () => {
    setHidden(true)
    try {
      sessionStorage.setItem(storageKey, 'hidden')
    } catch {
      // Hidden for as long as the page is there.
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
        {asks === 'clicks'
          ? "You've explored several features! Ready to start managing your practice?"
          : "You've been exploring our healthcare platform. Ready to subscribe and start managing your practice?"}
      </Text>
      <div className={styles.buttons}>
        <LinkButton appearance="primary" to="/subscription">
          Start Free Trial
        </LinkButton>
        <Button onClick={hide}>Continue Demo</Button>
      </div>
    </aside>
  )
}
