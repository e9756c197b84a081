#pragma once

const char *halyard_commit(void);
