import { Link, makeStyles, Text } from '@fluentui/react-components'
import { LockClosedRegular } from '@fluentui/react-icons/svg/lock-closed'
import { useEffect, useRef } from 'react'
import { Notice } from '#web/ui/notice.tsx'

const useStyles = makeStyles({ notice: { gridColumnStart: 1, gridColumnEnd: -1 } })

/** Notice that the session expired while a form was open; its input is kept while the user signs in in another tab. */
export function SignedOutNotice() {
  const styles = useStyles()
  const link = useRef<HTMLAnchorElement>(null)
  useEffect(() => link.current?.focus(), [])
  return (
    <Notice tone="warning" icon={LockClosedRegular} title="You were signed out" role="alert" className={styles.notice}>
      <Text>
        Nothing you entered is lost.{' '}
        <Link ref={link} href="/auth" target="_blank" inline>
          Sign in from a new tab
        </Link>
        , come back here and save again.
      </Text>
    </Notice>
  )
}
