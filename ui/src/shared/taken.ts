/**
 * What was chosen in a native control. The control goes back to `shown`: it moves by itself, before a change is made, and a
 * change may be refused. Whoever shows it moves it once it is made.
 */
export function taken(control: HTMLSelectElement | HTMLInputElement, shown: string | number): string {
  const { value } = control;
  if (control instanceof HTMLSelectElement) {
    control.value = String(shown);
    return value;
  }
  for (const one of document.getElementsByName(control.name)) {
    if (one instanceof HTMLInputElement) one.checked = one.value === String(shown);
  }
  return value;
}
