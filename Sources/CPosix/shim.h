#pragma once
#include <errno.h>
#include <unistd.h>
