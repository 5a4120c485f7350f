import { Text } from '@fluentui/react-components'
import { useBlocker } from '@tanstack/react-router'
import { createContext, type ReactNode, useCallback, useContext, useEffect, useId, useState } from 'react'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'

const UnsavedChangesContext = createContext<(section: string, isDirty: boolean) => void>(() => undefined)

/** Asks for confirmation before the user leaves the settings with unsaved input, once for all sections. */
export function UnsavedChangesGuard({ children }: { children: ReactNode }) {
  const [dirtySections] = useState(() => new Set<string>())
  const blocker = useBlocker({
    shouldBlockFn: () => dirtySections.size > 0,
    enableBeforeUnload: () => dirtySections.size > 0,
    withResolver: true,
  })
  const report = useCallback(
    (section: string, isDirty: boolean) => {
      if (isDirty) dirtySections.add(section)
      else dirtySections.delete(section)
    },
    [dirtySections],
  )
  return (
    <UnsavedChangesContext value={report}>
      {children}
      <ConfirmDialog
        open={blocker.status === 'blocked'}
        title="Discard your changes?"
        action="Discard"
        cancel="Keep editing"
        danger
        onConfirm={() => blocker.proceed?.()}
        onCancel={() => blocker.reset?.()}
      >
        <Text>You have unsaved changes.</Text>
      </ConfirmDialog>
    </UnsavedChangesContext>
  )
}

/** Reports to the guard whether a section has unsaved input. */
export function useReportUnsavedChanges(isDirty: boolean): void {
  const report = useContext(UnsavedChangesContext)
  const section = useId()
  useEffect(() => {
    report(section, isDirty)
    return () => report(section, false)
  }, [report, section, isDirty])
}
