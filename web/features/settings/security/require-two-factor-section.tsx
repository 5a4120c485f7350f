import { makeStyles, Switch, Text, tokens } from '@fluentui/react-components'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Practice } from '#contracts/practices.ts'
import { ApiProblem, errorMessage } from '#web/api/call.ts'
import { useHasPermission } from '#web/entities/accounts/current-user.ts'
import { practiceQuery } from '#web/entities/practices/practice-query.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { useNotify } from '#web/ui/toasts.tsx'
import { useUpdatePractice } from '../api.ts'
import { LoadedSection } from '../sections/section-state.tsx'

const useStyles = makeStyles({ text: { margin: 0, color: tokens.colorNeutralForeground2 } })

/** Setting that requires two-factor sign-in of everyone in the practice. */
export function RequireTwoFactorSection({ practiceId }: { practiceId: string }) {
  const styles = useStyles()
  const query = useQuery(practiceQuery(practiceId))
  const canEdit = useHasPermission('settings')
  const { data: practice } = query
  return (
    <Panel title="Two-Factor for Everyone" action={canEdit && practice && <RequireSwitch practice={practice} />}>
      <LoadedSection query={query} subject="This setting" loadingSubject="the setting" rows={1}>
        {({ requireTwoFactor }) => (
          <Text as="p" block className={styles.text}>
            {requireTwoFactor
              ? 'Everyone in the practice signs in with a code. A person without it is asked to set it up first.'
              : 'Each person decides. When it is on, everyone sets it up before doing anything else.'}
          </Text>
        )}
      </LoadedSection>
    </Panel>
  )
}

function RequireSwitch({ practice }: { practice: Practice }) {
  const notify = useNotify()
  const change = useUpdatePractice()
  const [isAsking, setIsAsking] = useState(false)
  const isOn = practice.requireTwoFactor
  const close = () => {
    setIsAsking(false)
    change.reset()
  }
  const confirm = async () => {
    try {
      await change.mutateAsync({ params: { practiceId: practice.id }, body: { requireTwoFactor: !isOn } })
      notify({ title: isOn ? 'Two-factor is no longer required' : 'Two-factor is required for everyone' })
      close()
    } catch {
      // The dialog stays open and shows the error.
    }
  }
  const { error } = change
  return (
    <>
      <Switch
        checked={isOn}
        label={{ children: isOn ? 'Required' : 'Optional', 'aria-hidden': true }}
        aria-label="Require it of everyone"
        labelPosition="before"
        onChange={() => setIsAsking(true)}
      />
      <ConfirmDialog
        open={isAsking}
        title={isOn ? 'Stop requiring two-factor authentication?' : 'Require two-factor authentication?'}
        action={isOn ? 'Stop requiring it' : 'Require it'}
        pendingAction="Saving..."
        pending={change.isPending}
        failure={error ? (error instanceof ApiProblem ? error.detail : errorMessage(error)) : null}
        onConfirm={() => void confirm()}
        onCancel={close}
      >
        <Text>
          {isOn
            ? 'Everyone can turn it off again. It stays on until then.'
            : 'Everyone who has not set it up is asked to do so at once, and cannot open patients or appointments before. Unsaved input is lost.'}
        </Text>
      </ConfirmDialog>
    </>
  )
}
