import { Text } from '@fluentui/react-components'
import { useBlocker } from '@tanstack/react-router'
import { createContext, type ReactNode, useCallback, useContext, useEffect, useId, useState } from 'react'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'

const UnsavedChangesContext = createContext<(section: string, dirty: boolean) => void>(() => undefined)

/** Whoever leaves the settings with something typed, by whatever way, is asked first, once for all sections. */
export function UnsavedChangesGuard({ children }: { children: ReactNode }) {
  const [dirty] = useState(() => new Set<string>())
  const leaving = useBlocker({
    shouldBlockFn: () => dirty.size > 0,
    enableBeforeUnload: () => dirty.size > 0,
    withResolver: true,
  })
  const report = useCallback(
    (section: string, isDirty: boolean) => {
      if (isDirty) dirty.add(section)
      else dirty.delete(section)
    },
    [dirty],
  )
  return (
    <UnsavedChangesContext value={report}>
      {children}
      <ConfirmDialog
        open={leaving.status === 'blocked'}
        title="Discard what you entered?"
        action="Discard"
        cancel="Keep editing"
        danger
        onConfirm={() => leaving.proceed?.()}
        onCancel={() => leaving.reset?.()}
      >
        <Text>You have entered something that is not saved yet.</Text>
      </ConfirmDialog>
    </UnsavedChangesContext>
  )
}

/** Says whether a section holds something that is not saved. */
export function useReportUnsavedChanges(dirty: boolean): void {
  const report = useContext(UnsavedChangesContext)
  const section = useId()
  useEffect(() => {
    report(section, dirty)
    return () => report(section, false)
  }, [report, section, dirty])
}
