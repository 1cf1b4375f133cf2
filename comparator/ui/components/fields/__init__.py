"""What stands behind the fields of forms: typing kept, the end of a path in view, folders dropped as folders."""
