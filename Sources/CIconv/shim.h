#pragma once
#include <iconv.h>
