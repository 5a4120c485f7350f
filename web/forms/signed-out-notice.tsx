import { Link, makeStyles, Text } from '@fluentui/react-components'
import { LockClosedRegular } from '@fluentui/react-icons/svg/lock-closed'
import { useEffect, useRef } from 'react'
import { Notice } from '#web/ui/notice.tsx'

const useStyles = makeStyles({ notice: { gridColumnStart: 1, gridColumnEnd: -1 } })

/** The session ended while a form was open. What was typed stays here while one signs in beside it. */
export function SignedOutNotice() {
  const styles = useStyles()
  const link = useRef<HTMLAnchorElement>(null)
  useEffect(() => link.current?.focus(), [])
  return (
    <Notice tone="waiting" icon={LockClosedRegular} title="You were signed out" role="alert" className={styles.notice}>
      <Text>
        Nothing you entered is lost.{' '}
        <Link ref={link} href="/auth" target="_blank" inline>
          Sign in in a new tab
        </Link>
        , come back here and save again.
      </Text>
    </Notice>
  )
}
